/** What a SelfSubjectAccessReview asks about. */
export type ReviewedAccess = {
  readonly apiVersion: string;
  readonly attributes: Readonly<Record<string, string>>;
};

type Field = {readonly number: number; readonly bytes: Buffer};

/** The fields of a protobuf message that have a length: strings and messages. Numbers are passed over. */
const readFields = (message: Buffer): readonly Field[] => {
  const fields: Field[] = [];
  let index = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[index] ?? 0;
      index += 1;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) {
        return value;
      }
    }
  };
  while (index < message.length) {
    const tag = readVarint();
    const value = readVarint();
    if (tag % 8 === 2) {
      fields.push({number: Math.floor(tag / 8), bytes: message.subarray(index, index + value)});
      index += value;
    }
  }
  return fields;
};

const fieldOf = (message: Buffer, number: number): Buffer =>
  readFields(message).find(field => field.number === number)?.bytes ?? Buffer.alloc(0);

/** Kubernetes puts these bytes before its protobuf messages. */
const protobufMagic = Buffer.from('k8s\0');

/** Field numbers of `ResourceAttributes` in authorization/v1/generated.proto. */
const attributeNumbers = {namespace: 1, verb: 2, group: 3, version: 4, resource: 5, subresource: 6, name: 7};

/** Reads a review as kubectl sends it: JSON, or since 1.32 protobuf. */
export const readAccessReview = (body: Buffer): ReviewedAccess => {
  if (!body.subarray(0, 4).equals(protobufMagic)) {
    const review = JSON.parse(body.toString()) as {
      readonly apiVersion?: string;
      readonly spec?: {readonly resourceAttributes?: Readonly<Record<string, string>>};
    };
    return {
      apiVersion: review.apiVersion ?? 'authorization.k8s.io/v1',
      attributes: review.spec?.resourceAttributes ?? {},
    };
  }
  const envelope = body.subarray(4);
  const attributes = fieldOf(fieldOf(fieldOf(envelope, 2), 2), 1);
  return {
    apiVersion: fieldOf(fieldOf(envelope, 1), 1).toString(),
    attributes: Object.fromEntries(
      Object.entries(attributeNumbers).map(([name, number]) => [name, fieldOf(attributes, number).toString()]),
    ),
  };
};
