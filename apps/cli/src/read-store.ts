/** Looks into a store without becoming its writer: what `runs`, `report` and `resume` begin with. */
import { openStore, type Store } from '@assay/store'
import type { Surroundings } from './config.ts'

/** What `look` sees in the store at `path`; throws `store-missing` where there is none. */
export const readStore = <Seen>(
  path: string,
  { now }: Surroundings,
  look: (store: Store) => Seen,
): Seen => {
  const store = openStore({ path, access: 'read', now })
  try {
    return look(store)
  } finally {
    store.close()
  }
}
