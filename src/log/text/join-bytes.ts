/** Creates a function that joins bytes in reused memory: its result is valid until the next call. */
export const createJoin = () => {
  let memory: Buffer = Buffer.alloc(0);
  return (pieces: readonly Buffer[]): Buffer => {
    const [only = memory.subarray(0, 0), ...others] = pieces.filter(({length}) => length > 0);
    if (others.length === 0) {
      return only;
    }
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    memory = memory.length < length ? Buffer.allocUnsafeSlow(2 * length) : memory;
    let end = 0;
    for (const piece of pieces) {
      end += piece.copy(memory, end);
    }
    return memory.subarray(0, end);
  };
};
