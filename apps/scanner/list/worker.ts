/** Builds and seals lists beside the camera: a large answer would hold its thread for tenths of a second. */
import { buildAndSeal, type BuildAsk, type BuiltAndSealed } from './build.ts';

export type BuildAnswer = { built: BuiltAndSealed } | { fault: string };

addEventListener('message', ({ data }: MessageEvent<BuildAsk>) => void answer(data));

async function answer(ask: BuildAsk): Promise<void> {
  try {
    const built = await buildAndSeal(ask);
    send(
      { built },
      [built.image?.buffer, built.sealed?.sealed].filter((bytes) => bytes instanceof ArrayBuffer),
    );
  } catch (error) {
    send({ fault: String(error) }, []);
  }
}

function send(answer: BuildAnswer, handed: ArrayBuffer[]): void {
  postMessage(answer, { transfer: handed });
}
