/** Memory and open files of processes, read from /proc while they live, and how fast they grow. */
import { readdirSync, readFileSync } from 'node:fs';

interface Sample {
  minute: number;
  megabytes: number;
  files: number;
}

export interface Growth {
  /** Of the process that lived longest, once it was warm. */
  minutes: number;
  megabytes: number;
  files: number;
  megabytesPerMinute: number;
  filesPerMinute: number;
}

/** So long a process fills its caches (SQLite's alone takes 64 MB) and its heap finds its size; of a short life it is the first half. */
const warmUpMinutes = 10;

export class Gauges {
  readonly #lives = new Map<number, Sample[]>();

  sample(pid: number): void {
    try {
      const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1];
      const samples = this.#lives.get(pid) ?? [];
      this.#lives.set(pid, samples);
      samples.push({
        minute: performance.now() / 60_000,
        megabytes: Number(kilobytes) / 1_024,
        files: readdirSync(`/proc/${pid}/fd`).length,
      });
    } catch {
      // It has died between two looks.
    }
  }

  growth(): Growth {
    const longest = [...this.#lives.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
    const [born, died] = [longest[0]?.minute ?? 0, longest.at(-1)?.minute ?? 0];
    const warmAt = born + Math.min(warmUpMinutes, (died - born) / 2);
    const warm = longest.filter(({ minute }) => minute >= warmAt);
    const last = warm.at(-1);
    return {
      minutes: last ? last.minute - warm[0]!.minute : 0,
      megabytes: last?.megabytes ?? 0,
      files: last?.files ?? 0,
      megabytesPerMinute: slopeOf(warm.map(({ minute, megabytes }) => [minute, megabytes])),
      filesPerMinute: slopeOf(warm.map(({ minute, files }) => [minute, files])),
    };
  }
}

/** Of the straight line that fits best. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (spread === 0 || points.length < 2) return 0;
  return points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
}
