// Sentences of one question's failures: what its answer was is said in the first of them, and not again.

const THE_ANSWER = /; the answer was '.*'$/s

export function tellAnswerOnce(sentences: readonly string[]): string[] {
  const told = new Set<string>()
  return sentences.map((sentence) => {
    const tail = THE_ANSWER.exec(sentence)?.[0]
    if (tail === undefined) return sentence
    if (told.has(tail)) return sentence.slice(0, -tail.length)
    told.add(tail)
    return sentence
  })
}
