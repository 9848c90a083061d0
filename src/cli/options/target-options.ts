// Options of `run`: whom to ask.
import { KEY_VARIABLE } from '../api-key/key-variable.ts'
import { define } from './option-spec.ts'
import { flagValue, namesValue, textValue, variableValue } from './values.ts'

const GROUP = 'Whom to ask:'

export const targetOptions = define({
  'base-url': {
    kind: 'text',
    value: textValue,
    placeholder: 'URL',
    describe: "The organization's desk address; from the variable ASSIST_BASE_URL otherwise",
    example: '--base-url https://desk.example.com',
    config: 'target',
    group: GROUP,
  },
  'api-key-env': {
    kind: 'text',
    value: variableValue,
    placeholder: 'NAME',
    describe: 'The environment variable that holds the key; a key is never an argument',
    default: KEY_VARIABLE,
    example: '--api-key-env ASSIST_KEY_STAGING',
    config: 'target',
    group: GROUP,
  },
  target: {
    kind: 'list',
    value: namesValue,
    placeholder: 'NAME',
    describe: 'A target of the config file; repeat it to ask several side by side',
    example: '--target production --target staging',
    config: 'run',
    group: GROUP,
  },
  sandbox: {
    kind: 'flag',
    value: flagValue,
    describe: 'Start a sandbox endpoint on a free loopback port and ask that: no key, no quota',
    example: '--sandbox',
    config: 'run',
    group: GROUP,
  },
  kb: {
    kind: 'text',
    value: textValue,
    placeholder: 'DIR',
    describe: 'With --sandbox: answer from this folder of Markdown articles',
    default: 'the shipped knowledge base',
    example: '--sandbox --kb articles',
    config: 'run',
    group: GROUP,
  },
  organization: {
    kind: 'text',
    value: textValue,
    placeholder: 'NAME',
    describe: 'Whose limit is shared: targets with one name share one limiter',
    default: 'origin of the base URL and fingerprint of the key',
    example: '--organization acme',
    config: 'target',
    group: GROUP,
  },
  'allow-http': {
    kind: 'flag',
    value: flagValue,
    describe: 'Allow plain http:// to a host that is not this machine; the key could be read on its way',
    example: '--allow-http',
    config: 'target',
    group: GROUP,
  },
})
