/** Every mistake of a person has a place, a stable code and a remedy: golden texts, read by people. */
import { readdirSync, readFileSync } from 'node:fs'
import { formatDiagnostic, parseCampaign } from '@assay/campaign'
import { describe, expect, it } from 'vitest'
import { catalogue } from './catalogue.ts'

const folder = new URL('./faults/', import.meta.url)
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.in'))
  .map((name) => name.slice(0, -'.in'.length))

describe('what is wrong with a campaign', () => {
  it.each(names)('is said for %s at its place, all at once', async (name) => {
    const text = readFileSync(new URL(`${name}.in`, folder), 'utf8')
    const parsed = parseCampaign(text, { file: `campaigns/${name}.yaml`, catalogue })
    if (parsed.ok) throw new Error(`${name} was accepted`)
    const printed = parsed.diagnostics.map((one) => `${formatDiagnostic(one)} [${one.code}]\n`)
    await expect(printed.join('')).toMatchFileSnapshot(`./faults/${name}.txt`)
  })

  it('is the text of a diagnostic as editors and terminals link it', () => {
    const text = 'compare:\n  mode:\n    - mmap-polulate\nbenchmarks: [hg.command.log]\n'
    const parsed = parseCampaign(text, { file: 'campaigns/x.yaml', catalogue })
    expect(parsed.ok ? [] : parsed.diagnostics.map(formatDiagnostic)).toEqual([
      'campaigns/x.yaml:3:7: unknown access mode "mmap-polulate"; did you mean "mmap-populate"?',
    ])
  })

  it('is cut after a hundred faults, and the rest is counted', () => {
    const text = `compare: { mode: [no-mmap] }\nbenchmarks:\n${'  - nothing\n'.repeat(150)}`
    const parsed = parseCampaign(text, { file: 'x.yaml', catalogue })
    expect(parsed.ok ? [] : parsed.diagnostics.length).toBe(101)
    expect(parsed.ok ? '' : parsed.diagnostics.at(-1)?.message).toBe(
      'and 50 more; mend these first',
    )
  })
})
