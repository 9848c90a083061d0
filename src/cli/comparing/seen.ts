// Items as they pass, each seen by somebody else first.

export function* seen<T>(items: Iterable<T>, see: (item: T) => void): Generator<T> {
  for (const item of items) {
    see(item)
    yield item
  }
}
