// A short name of an answer's text: marks are kept under it, so that they belong to the answer wherever it stands.

/**
 * 53 bits in base 36, the same for the same text; by Math.imul over UTF-16 code units (cyrb53, in the public domain).
 * Different answers to one question share a name about once in 10^16 pairs. No secret is safe behind it.
 */
export function answerKey(answer: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let place = 0; place < answer.length; place += 1) {
    const code = answer.charCodeAt(place)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36)
}
