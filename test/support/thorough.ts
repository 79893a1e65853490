/** `npm run test:all`: what is repeated is repeated as often as it is worth, however long that takes. */
export const isThorough = process.env.BRANCHLOG_TESTS === 'all';

/** So many random runs, seeds or rounds of a test in `npm run test:all`; a fourth of them, from one upwards, in `npm test`. */
export const runsOf = (count: number): number => (isThorough ? count : Math.ceil(count / 4));
