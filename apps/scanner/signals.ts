/** Sound and vibration of a verdict: each tone can be told from the others with the phone in a pocket or the eyes on the guest. */
import type { VerdictTone } from '#apps/shared/verdict-words.ts';

interface Note { /** Hz */ pitch: number; /** Seconds from the start of the signal. */ at: number; length: number; wave: OscillatorType }

const notes: Record<VerdictTone, Note[]> = {
  good: [{ pitch: 880, at: 0, length: 0.09, wave: 'sine' }, { pitch: 1319, at: 0.09, length: 0.16, wave: 'sine' }],
  info: [{ pitch: 587, at: 0, length: 0.12, wave: 'sine' }],
  warn: [{ pitch: 523, at: 0, length: 0.14, wave: 'triangle' }, { pitch: 523, at: 0.22, length: 0.14, wave: 'triangle' }],
  bad: [0, 0.2, 0.4].map((at) => ({ pitch: 185, at, length: 0.15, wave: 'square' as const })),
};

/** Milliseconds on, off, on … */
const pulses: Record<VerdictTone, number[]> = { good: [70], info: [30], warn: [140, 90, 140], bad: [260, 110, 260, 110, 260] };

let audio: AudioContext | undefined;

/** Browsers give sound only after a tap: called by the start button, and again by any tap while the sound is off. */
export async function unlockSound(): Promise<void> {
  try {
    // Safari: play even with the mute switch on.
    const session = (navigator as Navigator & { audioSession?: { type: string } }).audioSession;
    if (session) session.type = 'playback';
    audio ??= new AudioContext();
    if (audio.state !== 'running') await audio.resume();
  } catch {
    // No sound device: colour, word and vibration remain.
  }
}

export function isSoundOn(): boolean {
  return audio?.state === 'running';
}

export function signal(tone: VerdictTone): void {
  navigator.vibrate?.(pulses[tone]);
  if (!audio || audio.state !== 'running') return;
  const start = audio.currentTime + 0.01;
  for (const { pitch, at, length, wave } of notes[tone]) {
    const voice = new OscillatorNode(audio, { type: wave, frequency: pitch });
    const loudness = new GainNode(audio, { gain: 0 });
    // Short ramps instead of edges: an edge clicks.
    loudness.gain.setValueAtTime(0, start + at);
    loudness.gain.linearRampToValueAtTime(wave === 'square' ? 0.25 : 0.5, start + at + 0.01);
    loudness.gain.setValueAtTime(wave === 'square' ? 0.25 : 0.5, start + at + length - 0.02);
    loudness.gain.linearRampToValueAtTime(0, start + at + length);
    voice.connect(loudness).connect(audio.destination);
    voice.start(start + at);
    voice.stop(start + at + length);
  }
}
