// The times that the processes of an organization agree on, milliseconds.

/** How often each shows that it lives, and looks who conducts. */
export const TICK_MS = 300
/** A conductor that has not renewed its lease for so long is none any more. */
export const LEASE_MS = 2000
/** A member unheard for so long has lost its permits and its share. */
export const SILENT_MS = 3000
/**
 * A grant in answer to a message that its member sent longer ago than this is not used: below SILENT_MS, so that no permit
 * is used that the conductor may have given up.
 */
export const VALID_MS = 2500
/** A new conductor waits so long for the others to say what they have under way. */
export const GATHER_MS = 200
/** How often the conductor tells everybody how things stand. */
export const STATUS_MS = 500
/** A connection that comes back within this was never lost. */
export const GRACE_MS = 300
/** Redis that has answered nothing for so long is lost, even where the connection seems to stand. */
export const UNANSWERED_MS = 3000
/** What was published so lately is gone on from; what is older is what another night learned. */
export const FRESH_MS = 10_000
