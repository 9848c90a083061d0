// Text to Windows-1252, from the standard's own table, so that the reader's table is not its own proof.

/** https://encoding.spec.whatwg.org/index-windows-1252.txt, pointers 0 to 31. */
export const HIGH_CODE_POINTS = [
  0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d,
  0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a,
  0x153, 0x9d, 0x17e, 0x178,
] as const

export function encodeWindows1252(text: string): Buffer {
  return Buffer.from(
    Array.from(text, (character) => {
      const code = character.codePointAt(0) ?? 0
      const high = HIGH_CODE_POINTS.findIndex((point) => point === code)
      if (high !== -1) return 0x80 + high
      if (code > 0xff) throw new Error(`Windows-1252 has no ${character}`)
      return code
    }),
  )
}
