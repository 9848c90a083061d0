// A request's head and body leave in one piece: as two they cost a list of both, and an eighth of what a call costs.

/** Characters up to which Node writes a text without memory of its own; what is longer is not worth a copy. */
const SHORT = 2 ** 14

interface Piece {
  chunk: unknown
  encoding: BufferEncoding
}

type Done = (error?: Error | null) => void

/** Of a socket of Node's: what its streams let be put in place of their own. */
export interface CorkedWriter {
  _write(text: string, encoding: 'latin1', done: Done): void
  _writev?: ((pieces: Piece[], done: Done) => void) | undefined
}

/* oxlint-disable no-underscore-dangle -- Node names them so. */
/** From now on what is written to the socket while it is corked goes out as one text, where it is short. */
export function writeAsOne(socket: CorkedWriter): void {
  const writeList = socket._writev?.bind(socket)
  if (writeList === undefined) return
  socket._writev = (pieces, done) => {
    const text = textOf(pieces)
    if (text === undefined) writeList(pieces, done)
    else socket._write(text, 'latin1', done)
  }
}

/** The bytes as letters, one each; undefined where they are many, or not told as bytes. */
function textOf(pieces: readonly Piece[]): string | undefined {
  let text = ''
  for (const { chunk, encoding } of pieces) {
    if (Buffer.isBuffer(chunk) && chunk.length <= SHORT) text += chunk.toString('latin1')
    else if (typeof chunk === 'string' && encoding === 'latin1') text += chunk
    else return undefined
    if (text.length > SHORT) return undefined
  }
  return text
}
