import fc from 'fast-check';
import {arbitraryScenario} from '/work/main/test/log/simulation/arbitrary-scenario.ts';
import {properties} from '/work/main/test/log/simulation/properties.ts';
import {simulate} from '/work/main/test/log/simulation/simulate.ts';
import {createSubject} from '/work/main/test/log/simulation/subject.ts';
for (const p of properties) {
  const t0 = Date.now();
  const r = fc.check(fc.property(arbitraryScenario(p.allowed), s => {
    const e = createSubject({...s, keepsLateLines: p.keepsLateLines});
    return p.findFaults(simulate(s, e), e.log().buffer.evictedThrough).length === 0; }), {numRuns: 3000, interruptAfterTimeLimit: 30000, endOnFailure: true});
  console.log(r.failed, r.numRuns, Date.now() - t0, r.seed, r.counterexamplePath, p.sentence);
  if (r.failed && r.counterexample) { const s: any = r.counterexample[0]; const e = createSubject({...s, keepsLateLines: p.keepsLateLines}); console.log(JSON.stringify(s.service, (_k, v) => typeof v === 'bigint' ? `${v}` : v), p.findFaults(simulate(s, e), e.log().buffer.evictedThrough)); }
}
