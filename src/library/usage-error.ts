// What the user can mend: a wrong option, config or question set. Nothing was sent; exit code 2.

export class UsageError extends Error {
  override readonly name = 'UsageError'
}
