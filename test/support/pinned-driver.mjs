/**
 * A driver that pins itself to the processors of its first argument; it prints, a line each, what its
 * threads, its launcher, a child without and a child with the second argument's processors may use.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLauncher, pinThisProcess } from '@assay/measure'

const [driver, child] = process.argv.slice(2)
const allowed = (path) => /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(path, 'utf8'))?.[1]
pinThisProcess(driver)
const threads = readdirSync('/proc/self/task').map((id) => allowed(`/proc/self/task/${id}/status`))
console.log([...new Set(threads)].join(' '))

const launcher = await openLauncher({ hostLock: null })
console.log(allowed(`/proc/${launcher.pid}/status`))
const stdout = join(tmpdir(), `assay-pinned-${process.pid}`)
const argv = ['/bin/cat', '/proc/self/status']
const request = {
  invocation: { argv, workingDirectory: '/', environment: {}, expectedExitCodes: [0] },
  ...{ stdout, stderr: '/dev/null', timeoutSeconds: 60 },
}
await launcher.run(request)
console.log(allowed(stdout))
await launcher.run({ ...request, cpus: child })
console.log(allowed(stdout))
await launcher.close()
