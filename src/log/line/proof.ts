/** All proofs, from the weakest on. */
export const proofs = ['inferred', 'said', 'counted'] as const;

/**
 * On what the claim rests that no line is missing: the service numbers its lines (`counted`), it says how it cuts its
 * windows, and for a cut by source how many there are (`said`), or neither (`inferred`). Only a counted log is whole.
 */
export type Proof = (typeof proofs)[number];

/** Returns the weaker of two. */
const weakerProof = (a: Proof, b: Proof): Proof => (proofs.indexOf(a) < proofs.indexOf(b) ? a : b);

/** Returns the weakest of several. */
export const weakestProof = (all: readonly Proof[]): Proof => all.reduce(weakerProof, 'counted');
