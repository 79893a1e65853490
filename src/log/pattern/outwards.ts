/** The indices from 0 to `count − 1`, those next to a centre first. */
export function* outwards(centre: number, count: number): Generator<number> {
  for (let distance = 0; distance < count; distance++) {
    if (centre + distance < count) {
      yield centre + distance;
    }
    if (distance > 0 && centre - distance >= 0) {
      yield centre - distance;
    }
  }
}
