// An option as a line of the config file, made of the example that its help shows.
import type { OptionSpec } from './option-spec.ts'

/** `rate: 60/min`, `tag: [vpn]`; `name` is the option's on the command line. A quoted word is quoted in YAML in the same way. */
export function configExample(name: string, key: string, { kind, example }: OptionSpec): string {
  if (kind === 'flag') return `${key}: true`
  const [, value = ''] = new RegExp(String.raw`--${name} ('[^']*'|\S+)`).exec(example) ?? []
  return `${key}: ${kind === 'list' ? `[${value.replaceAll(',', ', ')}]` : value}`
}
