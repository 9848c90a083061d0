// The state that the address of the page holds.

export type Route = ReturnType<typeof readAddress>

/**
 * `#overview`, `#find=is:failed`, `#q=vpn-1&repeat=2`. Any other address shows the first
 * section.
 */
export function readAddress(sections: readonly HTMLElement[]) {
  const parameters = new URLSearchParams(location.hash.slice(1))
  const [first] = parameters.keys()
  const wanted = first === 'find' || first === 'q' ? 'conversations' : first
  const repeat = parameters.get('repeat')
  return {
    section: (sections.find(({ id }) => id === wanted) ?? sections[0])?.id ?? '',
    query: parameters.get('find') ?? '',
    id: parameters.get('q') ?? undefined,
    repeat: repeat === null ? undefined : Number(repeat),
  }
}
