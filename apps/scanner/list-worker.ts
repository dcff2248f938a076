/** Builds lists beside the camera: a large answer would hold its thread for tenths of a second. */
import { buildList, type BuildAsk, type Built } from './list-build.ts';

export type BuildAnswer = { built: Built } | { fault: string };

addEventListener('message', ({ data }: MessageEvent<BuildAsk>) => {
  try {
    const built = buildList(data);
    send({ built }, built.image ? [built.image] : []);
  } catch (error) {
    send({ fault: String(error) }, []);
  }
});

function send(answer: BuildAnswer, handed: ArrayBuffer[]): void {
  postMessage(answer, { transfer: handed });
}
