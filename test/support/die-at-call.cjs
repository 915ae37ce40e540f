/**
 * Loaded before the revlog program (`node -r`): the process kills itself right before its DIE_AT-th
 * call that changes a file system, so that every moment at which it could die can be tried. With
 * DIE_AT=count it only says at the end how many such calls there were.
 */
const fs = require('node:fs')

const CHANGING = [
  'writeSync',
  'writeFileSync',
  'renameSync',
  'linkSync',
  'symlinkSync',
  'unlinkSync',
]
const ALSO = ['rmSync', 'ftruncateSync', 'truncateSync', 'copyFileSync', 'mkdirSync']

let calls = 0
for (const name of [...CHANGING, ...ALSO]) {
  const original = fs[name]
  fs[name] = (...args) => {
    // Output is not a change.
    if (name !== 'writeSync' || args[0] > 2) {
      calls += 1
      if (`${calls}` === process.env.DIE_AT) process.kill(process.pid, 'SIGKILL')
    }
    return original(...args)
  }
}
if (process.env.DIE_AT === 'count') {
  process.on('exit', () => fs.writeSync(2, `${calls}\n`))
}
