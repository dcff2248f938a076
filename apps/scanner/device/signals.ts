/** Sound and vibration of each verdict, to be recognised without looking at the phone. */
import { observable } from '#apps/scanner/kit/observable.ts';
import type { Verdict } from '#server/domain/door/admission.ts';

/**
 * `group`: the rest of an order went in; `looked`: a ticket was read for information only;
 * `not_saved`: the phone could not write; `busy`: the code was ignored, because a dialog is open;
 * `conflict`: an earlier double entry has become known.
 */
type Heard = Verdict | 'group' | 'looked' | 'not_saved' | 'busy' | 'conflict';

interface Note {
  /** Hz */ pitch: number;
  /** Seconds from the start of the signal. */ at: number;
  length: number;
}
/** `pulse`: milliseconds on, off, on … */
export interface Signal {
  wave: OscillatorType;
  notes: readonly Note[];
  pulse: readonly number[];
}

/** Notes of equal length one after the other; null is a rest. */
function tune(length: number, ...pitches: (number | null)[]): Note[] {
  return pitches.flatMap((pitch, index) =>
    pitch === null ? [] : [{ pitch, at: index * length * 1.15, length }],
  );
}

/**
 * The wave shows the family: sine for "go on", triangle for "wait and look", square for "no".
 * Within a family the signals differ in melody and rhythm, not in loudness.
 */
export const signals: Record<Heard, Signal> = {
  admit: { wave: 'sine', notes: tune(0.1, 880, 1319), pulse: [70] },
  group: { wave: 'sine', notes: tune(0.09, 880, 1109, 1319), pulse: [50, 50, 50] },
  out: { wave: 'sine', notes: tune(0.12, 1047, 698), pulse: [40, 80, 40] },
  just_read: { wave: 'sine', notes: tune(0.12, 587), pulse: [25] },
  looked: { wave: 'sine', notes: tune(0.05, 1568), pulse: [12] },
  undone: { wave: 'sine', notes: tune(0.09, 784, 659, 523), pulse: [30, 40, 30, 40, 30] },
  verify: { wave: 'triangle', notes: tune(0.13, 523, null, 784), pulse: [140, 90, 60] },
  moved: { wave: 'triangle', notes: tune(0.1, 523, 659, 784), pulse: [140, 60, 60, 60, 60] },
  wrong_gate: {
    wave: 'triangle',
    notes: tune(0.1, 659, 494, 659, 494),
    pulse: [90, 70, 90, 70, 90, 70, 90],
  },
  not_yet: { wave: 'triangle', notes: tune(0.12, 523, null, 523), pulse: [140, 160, 140] },
  too_late: { wave: 'triangle', notes: tune(0.2, 523, 349), pulse: [140, 60, 320] },
  unpaid: {
    wave: 'triangle',
    notes: tune(0.07, 988, 988, 988, null, 392),
    pulse: [50, 50, 50, 50, 300],
  },
  trial: {
    wave: 'triangle',
    notes: tune(0.11, 440, 554, null, 440),
    pulse: [60, 60, 200, 60, 60],
  },
  already_in: {
    wave: 'square',
    notes: tune(0.16, 185, 185, 185),
    pulse: [260, 110, 260, 110, 260],
  },
  wrong_event: { wave: 'square', notes: tune(0.2, 247, 156), pulse: [160, 110, 480] },
  cancelled: { wave: 'square', notes: tune(0.7, 147), pulse: [800] },
  refunded: {
    wave: 'square',
    notes: tune(0.14, 247, 208, 165, 131),
    pulse: [120, 60, 200, 60, 280],
  },
  replaced: {
    wave: 'square',
    notes: tune(0.12, 165, 220, 165, 220),
    pulse: [300, 80, 120, 80, 300],
  },
  invalid: { wave: 'square', notes: tune(0.28, 139, 139), pulse: [420, 140, 420] },
  not_saved: {
    wave: 'sawtooth',
    notes: tune(0.07, 330, 247, 330, 247, 330, 247),
    pulse: [90, 50, 90, 50, 90, 50, 90, 50, 90],
  },
  conflict: {
    wave: 'triangle',
    notes: tune(0.11, 440, 622, 440, 622),
    pulse: [60, 60, 60, 180, 60, 60, 60],
  },
  busy: { wave: 'triangle', notes: tune(0.05, 392, 392), pulse: [20, 60, 20] },
};

let audio: AudioContext | undefined;
let wasOn = false;
/**
 * True while the system blocks the sound, as during a call or behind a locked screen; a tap
 * brings it back.
 */
export const isSoundLost = observable(false);

function openAudio(): AudioContext {
  const opened = new AudioContext();
  opened.addEventListener('statechange', () => {
    wasOn ||= opened.state === 'running';
    isSoundLost.write(wasOn && opened.state !== 'running');
  });
  return opened;
}

/**
 * Starts the sound, which browsers allow only after a tap: called by the start button, and by any
 * tap while the sound is off.
 */
export async function unlockSound(): Promise<void> {
  try {
    // Makes Safari play even with the mute switch on.
    const session = (navigator as Navigator & { audioSession?: { type: string } }).audioSession;
    if (session) session.type = 'playback';
    audio ??= openAudio();
    if (audio.state !== 'running') await audio.resume();
  } catch {
    // Without a sound device, colour, word and vibration remain.
  }
}

export function isSoundOn(): boolean {
  return audio?.state === 'running';
}

/** Never throws: a failing sound must not keep a verdict from the screen. */
export function signal(heard: Heard): void {
  const { pulse } = signals[heard];
  navigator.vibrate?.([...pulse]);
  if (!audio || audio.state !== 'running') return;
  try {
    play(audio, signals[heard]);
  } catch (error) {
    console.error(error);
  }
}

function play(audio: AudioContext, { wave, notes }: Signal): void {
  const start = audio.currentTime + 0.01;
  // A square wave sounds louder than the others, so it gets less gain.
  const peak = wave === 'sine' || wave === 'triangle' ? 0.5 : 0.25;
  for (const { pitch, at, length } of notes) {
    const voice = new OscillatorNode(audio, { type: wave, frequency: pitch });
    const loudness = new GainNode(audio, { gain: 0 });
    // Short ramps, because an abrupt change of volume clicks.
    loudness.gain.setValueAtTime(0, start + at);
    loudness.gain.linearRampToValueAtTime(peak, start + at + 0.01);
    loudness.gain.setValueAtTime(peak, start + at + length - 0.02);
    loudness.gain.linearRampToValueAtTime(0, start + at + length);
    voice.connect(loudness).connect(audio.destination);
    voice.start(start + at);
    voice.stop(start + at + length);
  }
}
