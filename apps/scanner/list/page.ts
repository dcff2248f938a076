/**
 * Reads the server's answers about the list. A captive portal answers 200 with anything, so only
 * answers with the shape of our contract are accepted.
 */
import * as v from 'valibot';
import {
  receivedChanges,
  receivedHead,
  type ReceivedChanges,
  type ReceivedHead,
} from '#server/contract/door/door-list.ts';
import { splitAnswer, TornPage } from '#server/domain/door/door-block.ts';

/** A whole list as a block, and the rest of the answer. */
export interface ListAnswer {
  head: ReceivedHead;
  block: Uint8Array<ArrayBuffer>;
}

/** @throws TornPage */
export function readList(bytes: ArrayBuffer): ListAnswer {
  const { block, rest } = splitAnswer(bytes);
  return { block, head: read(receivedHead, parseJson(rest)) };
}

/** @throws TornPage */
export function readChanges(reply: unknown): ReceivedChanges {
  return read(receivedChanges, reply);
}

function read<const S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (!result.success) throw new TornPage('Not an answer about the door’s list');
  return result.output;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TornPage('Not JSON', { cause: error });
  }
}
