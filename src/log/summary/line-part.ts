/**
 * Where a part of a line was read: `access`, an access line; `reported`, a request as gin or HAProxy report it;
 * `text`, the words of another line; `status=`, a logfmt field; otherwise the name of a field of a JSON record. No
 * field that is read is called `access`, `reported` or `text`.
 */
export type PartSource = string;

/** A part of a line and where it was read. */
export type LinePart<Value> = {readonly value: Value; readonly source: PartSource};

/** Names and addresses are shorter. */
export const clientCharsMax = 64;
