// A file that the page itself makes, handed to the person: nothing is sent anywhere.

export function download(name: string, pieces: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([...pieces], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
