// Loads pace/constants.ts with other values: PACING_CONSTANTS='DIP=0.015;MIN_CALLS=7'.
import { register } from 'node:module'

const hooks = `
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context)
  if (!url.includes('/pace/constants.ts')) return loaded
  let source = String(loaded.source)
  for (const change of process.env.PACING_CONSTANTS.split(';')) {
    const [name, value] = change.split(/=(.*)/s)
    const constant = new RegExp('\\\\b' + name + '\\\\s*=[^;]+?(?=,\\\\w+\\\\s*=|;|$)', 's')
    const changed = source.replace(constant, name + '=' + value)
    if (changed === source) throw new Error('no constant ' + name)
    source = changed
  }
  return { ...loaded, source }
}`
if (process.env.PACING_CONSTANTS) register('data:text/javascript,' + encodeURIComponent(hooks))
