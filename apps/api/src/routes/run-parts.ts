/** The parts of a run: blocks and their takes, cells, samples, comparisons. */
import {
  blockStateSchema,
  cellResponseSchema,
  listBlocksResponseSchema,
  listCellsResponseSchema,
  listComparisonsResponseSchema,
  listSamplesResponseSchema,
  listTakesResponseSchema,
} from '@assay/model'
import { listComparisons } from '@assay/orchestrator'
import { z } from 'zod'
import type { Route } from '../route.ts'
import { pageOf, pageQuery, runParams } from './run-params.ts'

const blockParams = runParams.extend({
  block: z.string().describe('the id of the block, e.g. `b1`'),
})

const blocks: Route = (app, { store }) => {
  app.get(
    '/runs/:run/blocks',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['runs'],
        summary: 'the blocks of a run as they stand: attempts, who measures, what failed and why',
        params: runParams,
        response: {
          200: listBlocksResponseSchema.describe('all blocks, in the order of the plan'),
        },
      },
    },
    async ({ params }) => ({ blocks: store.blocks.showOf(store.runs.find(params.run).id) }),
  )
  app.get(
    '/runs/:run/blocks/:block',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['runs'],
        summary: 'one block as it stands',
        params: blockParams,
        response: { 200: blockStateSchema.describe('the block') },
      },
    },
    async ({ params }) => store.blocks.show(store.runs.find(params.run).id, params.block),
  )
  app.get(
    '/runs/:run/blocks/:block/takes',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['runs'],
        summary: 'who measured a block, on which hosts, and how each attempt ended',
        params: blockParams,
        response: { 200: listTakesResponseSchema.describe('all takes, from the first') },
      },
    },
    async ({ params }) => {
      const { id } = store.runs.find(params.run)
      return { takes: store.blocks.takes(id, params.block) }
    },
  )
}

const cells: Route = (app, { store }) => {
  app.get(
    '/runs/:run/cells',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['runs'],
        summary: 'the cells of a run as they stand',
        params: runParams,
        response: { 200: listCellsResponseSchema.describe('all cells, in the order of the plan') },
      },
    },
    async ({ params }) => ({ cells: store.cells.ofRun(store.runs.find(params.run).id) }),
  )
  app.get(
    '/runs/:run/cells/:cell',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['runs'],
        summary: 'one cell as it stands, with what was planned for it',
        params: runParams.extend({ cell: z.string().describe('the id of the cell, e.g. `b1.c2`') }),
        response: { 200: cellResponseSchema.describe('the cell') },
      },
    },
    async ({ params }) => store.cells.get(store.runs.find(params.run).id, params.cell),
  )
}

const samplesQuery = pageQuery.extend({
  cell: z.string().exactOptional().describe('only samples of this cell'),
})

const numbers: Route = (app, { store }) => {
  app.get(
    '/runs/:run/samples',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['runs'],
        summary: 'every sample of a run, warmups and superseded takes included',
        params: runParams,
        querystring: samplesQuery,
        response: {
          200: listSamplesResponseSchema.describe(
            'a page of samples, by block, take, round and position',
          ),
        },
      },
    },
    async ({ params, query }) => {
      const { cell } = query
      const only = cell === undefined ? {} : { cell }
      return store.samples.ofRun(store.runs.find(params.run).id, { ...pageOf(query), ...only })
    },
  )
  app.get(
    '/runs/:run/comparisons',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['runs'],
        summary: 'the rows of the report by themselves, each with its baseline and verdict',
        params: runParams,
        querystring: z.strictObject({
          metric: z.string().exactOptional().describe('another metric than the primary one'),
        }),
        response: { 200: listComparisonsResponseSchema.describe('in the order of the report') },
      },
    },
    async ({ params, query }) =>
      listComparisons(store.runs.find(params.run).id, query.metric, store),
  )
}

export const runPartRoutes: Route = (app, site) => {
  blocks(app, site)
  cells(app, site)
  numbers(app, site)
}
