import {secondMs} from '../seed/durations.ts';
import {createRandom} from '../seed/random.ts';

// Periods that do not divide one another, so that the shape does not repeat within an hour.
const waves = [
  {periodMs: 173 * secondMs, height: 0.26},
  {periodMs: 47 * secondMs, height: 0.15},
  {periodMs: 11 * secondMs, height: 0.07},
];

const levelMin = 0.1;

/** Returns how busy a branch is at a moment, 0.1 to 1, in its own waves of minutes. */
export const createWaves = (seed: number, branchId: string): ((demoMs: number) => number) => {
  const random = createRandom(seed, branchId, 'waves');
  const phased = waves.map(wave => ({...wave, phase: random.fraction() * 2 * Math.PI}));
  return demoMs => {
    const sum = phased.reduce(
      (level, {periodMs, height, phase}) => level + height * Math.sin((2 * Math.PI * demoMs) / periodMs + phase),
      0.5,
    );
    return Math.min(1, Math.max(levelMin, sum));
  };
};
