/** The registry of engines: one file each, one line here. */
import type { Engine } from './engine.ts'
import { exec } from './exec.ts'
import { fake } from './fake.ts'
import { revlog } from './revlog.ts'

export const engines: readonly Engine[] = [revlog, exec, fake]
