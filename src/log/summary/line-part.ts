/**
 * Where a part of a line was read: `access`, an access line; `text`, the words of another line; `status=`, a field of logfmt;
 * else the name of a field of a record in JSON. No field that is read is called `access` or `text`.
 */
export type PartSource = string;

/** A part of a line and where it was read. */
export type LinePart<Value> = {readonly value: Value; readonly source: PartSource};

/** A name or an address is shorter. */
export const clientCharsMax = 64;
