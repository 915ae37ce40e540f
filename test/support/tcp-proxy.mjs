/**
 * The network between workers and server, which can be broken: a proxy that passes requests on,
 * swallows them, refuses them, sends rounds twice, or again long after. It notes each round whose
 * acknowledgement it has delivered.
 */
import { createServer, request } from 'node:http'

const read = async (stream) => {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const forward = (port, { method, url, headers }, body) =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path: url, headers, agent: false }
    const asked = request(options, async (answer) => {
      try {
        resolve({ status: answer.statusCode, headers: answer.headers, body: await read(answer) })
      } catch (error) {
        reject(error)
      }
    })
    asked.on('error', reject).end(body)
  })

const isRound = ({ method, url }) => method === 'PUT' && /\/rounds\/\d+$/.test(url)

/** Listens on a free port; `mode` is `pass`, `drop`, `refuse`, `twice` or `late`. */
export const openProxy = async (targetPort) => {
  const acknowledged = []
  const wrong = []
  let mode = 'pass'
  let before = null
  let lastBlock = null

  const again = async (asked, body, status) => {
    const answer = await forward(targetPort(), asked, body)
    // What was saved is `same`; where its take is over meanwhile it is refused.
    if (![status, 410].includes(answer.status)) wrong.push(`${asked.url}: ${answer.status}`)
  }
  const pass = async (asked, body) => {
    const answer = await forward(targetPort(), asked, body)
    if (/\/blocks\/next$/.test(asked.url) && answer.status === 200) {
      // The same block to two workers: what a queue may do at any time.
      if (mode === 'twice' && lastBlock !== null && JSON.parse(answer.body).block === null)
        return { ...answer, body: lastBlock, headers: { 'content-type': 'application/json' } }
      if (JSON.parse(answer.body).block !== null) lastBlock = answer.body
    }
    if (!isRound(asked) || answer.status >= 300) return answer
    if (mode === 'twice') await again(asked, body, 200)
    if (mode === 'late') {
      if (before !== null) await again(before.asked, before.body, 200)
      before = { asked, body }
    }
    return answer
  }

  const server = createServer(async (incoming, outgoing) => {
    try {
      if (mode === 'refuse') return incoming.socket.destroy()
      const body = await read(incoming)
      if (mode === 'drop') return
      const { method, url, headers } = incoming
      const answer = await pass({ method, url, headers }, body)
      if (mode === 'drop') return
      outgoing.writeHead(answer.status, answer.headers).end(answer.body)
      if (isRound(incoming) && answer.status < 300)
        acknowledged.push({ at: performance.now(), url, digest: JSON.parse(body).digest })
    } catch {
      // The server is away, or the worker: each sees a broken connection.
      incoming.socket.destroy()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    acknowledged,
    wrong,
    set: (next) => {
      mode = next
      if (next === 'pass' || next === 'refuse') server.closeAllConnections()
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
