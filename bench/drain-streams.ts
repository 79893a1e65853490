/**
 * Follows the logs of all pods of namespace `shop` with nothing but `node:http2` and drops the bytes: what a thousand
 * streams cost before anybody looks at a line. Run by `kubernetes.ts` with the cluster's address, authority and token.
 */
import {type ClientHttp2Session, connect} from 'node:http2';

const [url = '', ca = '', token = ''] = process.argv.slice(2);
const streamsEach = 100;
const headers = {authorization: `Bearer ${token}`};

const openSession = (): ClientHttp2Session => connect(url, {ca, settings: {enablePush: false}});

const listPods = async (): Promise<readonly string[]> => {
  const stream = openSession().request({...headers, ':path': '/api/v1/namespaces/shop/pods'});
  const chunks: Buffer[] = await stream.toArray();
  const {items} = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  return items.map(({metadata}: {readonly metadata: {readonly name: string}}) => metadata.name);
};

const pods = await listPods();
for (let start = 0; start < pods.length; start += streamsEach) {
  const session = openSession();
  for (const pod of pods.slice(start, start + streamsEach)) {
    session.request({...headers, ':path': `/api/v1/namespaces/shop/pods/${pod}/log?follow=true`}).resume();
  }
}
