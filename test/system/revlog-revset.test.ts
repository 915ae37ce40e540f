/** Revset expressions: the same revisions, in the same order, as hg finds. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRepository, resolveRevisions } from '@assay/revlog'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hg, hgEnvironment, revlog } from '../support/revlog-against-hg.ts'

let scratch = ''
let source = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-revset-'))
  source = join(scratch, 'source')
  mkdirSync(source)
  const script = `set -e
    hg init -q
    for n in 0 1 2 3 4; do echo $n >> a; hg commit -Aqm "c$n" -d "$n 0"; done
    hg update -q 2; hg branch -q side; echo z > side; hg commit -Aqm side -d '5 0'
    hg commit -q --close-branch -m close -d '6 0'
    hg update -q 4; hg merge -q 5; hg commit -qm merge -d '7 0'
    hg update -q 4; echo y > y; hg commit -Aqm other -d '8 0'
    hg phase -qp 3; hg bookmark dashed-name; hg tag -q -r 1 tagged -d '9 0'; hg phase -qsf 9`
  execFileSync('bash', ['-c', script], { cwd: source, env: hgEnvironment() })
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const EXPRESSIONS = [
  ...[
    '5:1',
    '5:1 and 1:9',
    '1 or 5:3 or 4',
    'not 5:1',
    '5:1 - 3',
    '!1:7',
    '1 or 2 and 3',
    'not 1 or 2',
  ],
  ...['last(5:1,2)', 'last(all())', 'first(5:1,2)', 'limit(all(),3)', 'heads(all())', 'heads(5:1)'],
  ...[
    '1+0',
    '::4 - ::2',
    '2::9',
    '5::3',
    '8::',
    '::4',
    '..4',
    '3:',
    ':3',
    ':',
    '1:2:3',
    '0:-2',
    '-1',
  ],
  ...['reverse(::3)', 'draft()', 'public()', 'secret()', 'draft() and 5:1', 'merge()', 'closed()'],
  ...[
    'tip^',
    'tip~2',
    '7^2',
    '7^0',
    '0^',
    'parents(7)',
    'parents(0)',
    'p1(7)',
    'p2(7)',
    'children(2)',
  ],
  ...['roots(3:7)', 'max(1:4)', 'min(5:3)', 'branch(side)', 'branch(3)', 'side', 'default'],
  ...['only(7,3)', 'only(7)', '7 % 3', 'ancestors(5:3)', 'descendants(5)', 'null', '0:null'],
  ...[
    'dashed-name',
    'dashed-name - 2',
    '::dashed-name and draft()',
    'tagged::4',
    'tip',
    'all() - tip',
  ],
]

test('every expression gives what hg gives, in its order', () => {
  const template = EXPRESSIONS.map((spec) => `{join(revset('${spec}'), ' ')}\\n`).join('')
  const theirs = hg(source, ['log', '-r', '0', '-T', template])
  expect(theirs.stderr.toString()).toBe('')
  const lines = theirs.stdout.toString().split('\n')
  const repository = openRepository(source, { mode: 'no-mmap' })
  const ours = EXPRESSIONS.map((spec) => [spec, resolveRevisions(repository, spec).join(' ')])
  repository.close()
  expect(ours).toEqual(EXPRESSIONS.map((spec, at) => [spec, lines[at]]))
})

test.each([
  ...['heads(', '1 +', '(1', '1 2', '1)', "'1", '::', '1 and', 'last(all(),x)', 'last()', 'nosuch'],
])('%s is refused in the words of hg', (spec) => {
  const args = ['log', '-r', spec]
  const [ours, theirs] = [revlog(source, args), hg(source, args)]
  expect(ours.stderr.toString()).toBe(theirs.stderr.toString())
  expect([ours.status, ours.stdout.length]).toEqual([theirs.status, 0])
})
