// What reading one cell gives: a value, or what is wrong with it. Empty cells are not read.

export type CellReading<Value> =
  { readonly kind: 'value'; readonly value: Value } | { readonly kind: 'wrong'; readonly message: string }

export const value = <Value>(read: Value): CellReading<Value> => ({ kind: 'value', value: read })
export const wrong = (message: string): { readonly kind: 'wrong'; readonly message: string } => ({
  kind: 'wrong',
  message,
})
