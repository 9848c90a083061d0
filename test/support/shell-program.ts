// A script that stands for the installed program in shells: it runs the command in a process that is reused,
// with the arguments, environment, folder, streams and exit code of the shell's own.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll } from 'vitest'
import { runResident } from './resident.ts'

/** Sends its folder, its arguments and its environment, each text with a NUL; gets the code and both streams. */
const script = (port: number): string => `#!/usr/bin/env bash
exec 3<> /dev/tcp/127.0.0.1/${port}
{ printf '%s\\0' "$PWD" $# "$@"; env -0; printf '\\0'; } >&3
read -r code stdout stderr <&3
head -c "$stdout" <&3
head -c "$stderr" <&3 >&2
exit "$code"
`

/** The text of the script. It works until the tests of the file end. */
export async function serveProgram(): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => server.close())
  return script((server.address() as AddressInfo).port)
}

function answer(socket: Socket): void {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const command = readCommand(text)
    if (command === undefined) return
    void runResident(command.words, command).then(({ code, stdout, stderr }) => {
      const lengths = [stdout, stderr].map((stream) => Buffer.byteLength(stream))
      socket.end(`${code} ${lengths.join(' ')}\n${stdout}${stderr}`)
    })
  })
}

/** Undefined while the empty text that ends the environment is to come. */
function readCommand(text: string) {
  const [cwd = '', count, ...texts] = text.split('\0')
  const words = texts.slice(0, Number(count))
  const variables = texts.slice(words.length, -2)
  if (!text.endsWith('\0\0') || variables.length === 0) return undefined
  const env = Object.fromEntries(
    variables.map((variable) => {
      const [name = '', ...value] = variable.split('=')
      return [name, value.join('=')]
    }),
  )
  return { cwd, words, env }
}
