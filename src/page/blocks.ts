// Blocks of data in the page: JSON, packed with gzip, written as base64 into elements that no browser runs.

/** Throws where a block is damaged or the browser cannot unpack. */
export async function unpack(base64: string): Promise<unknown> {
  const packed = atob(base64.trim())
  const bytes = new Uint8Array(packed.length)
  for (let place = 0; place < packed.length; place += 1) bytes[place] = packed.charCodeAt(place)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).json()
}
