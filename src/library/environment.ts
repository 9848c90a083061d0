// The environment of a run that a program starts: its own key goes before every variable.
import { readEnvironment, type Environment } from '../cli/environment.ts'
import { KEY_VARIABLE } from '../cli/api-key/key-variable.ts'

/** Beside the key, a run reads ASSIST_BASE_URL without `baseUrl`, ASSIST_HASH_KEY for `hashEndUserRefs`, ASSIST_REDIS_… for `limiter`. */
export const environmentWith =
  (apiKey: string | undefined, apiKeyEnv = KEY_VARIABLE) =>
  (file: string | undefined): Environment => {
    const environment = readEnvironment(file)
    return apiKey === undefined ? environment : { ...environment, [apiKeyEnv]: apiKey }
  }
