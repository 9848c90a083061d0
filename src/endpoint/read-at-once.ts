// What a socket receives reaches undici's parser at once: by way of the stream's buffer it costs some hundredths of a call more.

/** Of a socket of Node's: what its streams let be put in place of their own. */
export interface Received {
  /** What the system has read; null at the end. False: no more for now. */
  push(chunk: Buffer | null): boolean
  /** Of the stream's buffer. */
  read(size?: number): Buffer | null
  emit(event: 'readable'): boolean
  readonly readableLength: number
  readonly destroyed: boolean
}

/**
 * From now on a chunk that arrives while nothing else is buffered is there for the `read` of whoever hears `readable`, which is
 * called at once and not with the next tick. What is not read then is buffered as ever: a reader that has paused, or none so far.
 */
export function readAtOnce(socket: Received): void {
  const buffer = socket.push.bind(socket)
  const readBuffered = socket.read.bind(socket)
  let arrived: Buffer | null = null
  let isArriving = false
  const takeArrived = (): Buffer | null => {
    const chunk = arrived
    arrived = null
    return chunk
  }
  socket.push = (chunk) => {
    if (chunk === null || chunk.length === 0 || socket.destroyed || socket.readableLength > 0)
      return buffer(chunk)
    arrived = chunk
    isArriving = true
    try {
      socket.emit('readable')
    } finally {
      isArriving = false
    }
    const left = takeArrived()
    return left === null || buffer(left)
  }
  socket.read = (size) => {
    // A part of it was not asked for by anyone so far; if it is, the stream knows how.
    if (size !== undefined && arrived !== null) buffer(takeArrived())
    if (arrived !== null) return takeArrived()
    // Nothing more can have come meanwhile.
    return isArriving && socket.readableLength === 0 ? null : readBuffered(size)
  }
}
