// The environment of a run that a program starts: its own key goes before every variable.
import type { Environment } from '../cli/environment.ts'
import { KEY_VARIABLE } from '../cli/api-key/key-variable.ts'

/** Beside the key, a run reads ASSIST_BASE_URL without `baseUrl`, ASSIST_HASH_KEY for `hashEndUserRefs`, ASSIST_REDIS_… for `limiter`. */
export const environmentWith =
  (apiKey: string | undefined, apiKeyEnv = KEY_VARIABLE) =>
  (): Environment =>
    apiKey === undefined ? process.env : { ...process.env, [apiKeyEnv]: apiKey }
