/** A pod of the demo. Times in milliseconds since the demo's start. */
export type SamplePod = {readonly name: string; readonly bornMs: number};

/** Returns the pods that run at a moment, `demoMs` milliseconds after the demo's start, oldest first. */
export type Roster = (demoMs: number) => readonly SamplePod[];
