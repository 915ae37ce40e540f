/**
 * A parent to be killed: opens a launcher of the kind given and measures a shell that leaves a
 * grandchild in another session; both sleep for the duration given. Exits with 3 when the launcher
 * dies first. Instead of a kind, `guarded`: runs the same under guard.
 */
import { openLauncher, startGuarded } from '@assay/measure'

const [kind, nap] = process.argv.slice(2)
const argv = ['sh', '-c', `setsid sleep ${nap} & exec sleep ${nap}`]
const environment = { PATH: '/usr/bin:/bin' }
if (kind === 'guarded') {
  await startGuarded({ argv, workingDirectory: '/', environment, stderr: 2 }).ended
  process.exit()
}
const launcher = await openLauncher({ hostLock: null, kind })
console.log(launcher.pid)
const request = {
  invocation: {
    argv,
    workingDirectory: '/',
    environment,
    expectedExitCodes: [0],
  },
  stdout: '/dev/null',
  stderr: '/dev/null',
  timeoutSeconds: null,
}
await launcher.run(request).catch((failure) => {
  if (failure.code !== 'launcher-died') throw failure
  process.exitCode = 3
})
