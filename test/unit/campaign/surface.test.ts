/** What editors and beginners are given agrees with what is read. */
import { campaignJsonSchema, campaignTemplate, parseCampaign, unknownName } from '@assay/campaign'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { catalogue } from './catalogue.ts'

const objectSchema = z.looseObject({
  required: z.array(z.string()),
  properties: z.record(z.string(), z.unknown()),
})

describe('the JSON Schema', () => {
  const schema = campaignJsonSchema(catalogue)
  const { properties, required } = objectSchema.parse(schema)

  it('is of draft 2020-12 and asks for what a campaign must have', () => {
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(required).toEqual(['compare', 'benchmarks'])
  })

  it('has exactly the keys that are read', () => {
    const text = Object.keys(properties)
      .map((key) => `${key}: []\n`)
      .join('')
    const codes = (yaml: string): readonly string[] => {
      const parsed = parseCampaign(yaml, { file: 'x.yaml', catalogue })
      return parsed.ok ? [] : parsed.diagnostics.map(({ code }) => code)
    }
    expect(codes(text)).not.toContain('unknown-key')
    expect(codes(`${text}another: 1\n`)).toContain('unknown-key')
    expect(Object.keys(properties)).toHaveLength(11)
  })

  it('offers the names of the catalogue, and numbers where an editor sees numbers', () => {
    const text = JSON.stringify(schema)
    for (const { name } of [...catalogue.benchmarks, ...catalogue.presets, ...catalogue.engines]) {
      expect(text).toContain(`"${name}"`)
    }
    expect(JSON.stringify(properties['sampling'])).toContain('"type":["integer","string"]')
  })
})

describe('the first campaign', () => {
  it.each(['x', 'my campaign', '2018', 'true'])('called %s is a campaign of that name', (name) => {
    const parsed = parseCampaign(campaignTemplate(name), { file: 'y.yaml', catalogue })
    expect(parsed.ok && parsed.campaign.name).toBe(name)
  })
})

describe('an unknown name', () => {
  it.each([
    ['hg.comand.log', 'did you mean "hg.command.log"?'],
    ['HG.COMMAND.LOG', 'did you mean "hg.command.log"?'],
    ['hg.command.lgo', 'did you mean "hg.command.log"?'],
    ['tag', 'known: hg.command.log, hg.command.push'],
    ['', 'known: hg.command.log, hg.command.push'],
    ['x'.repeat(100_000), 'known: hg.command.log, hg.command.push'],
  ])('such as %.20s is answered by the nearest, or by all', (written, answer) => {
    expect(unknownName('benchmark', written, ['hg.command.log', 'hg.command.push'])).toContain(
      `; ${answer}`,
    )
  })
})
