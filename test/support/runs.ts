/** The environment of a test's run: the key and nothing else. */
export const KEY_ENV = { ASSIST_API_KEY: 'test-key-0123456789' }
