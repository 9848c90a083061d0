// Which environment variable holds the key where no other is named.

export const KEY_VARIABLE = 'ASSIST_API_KEY'
