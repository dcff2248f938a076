/** Asks for the camera before the queue stands at the door, and gives it back at once. */
import { CameraError, troubleOf } from './camera.ts';

/** Throws a CameraError. */
export async function tryCamera(): Promise<void> {
  if (!navigator.mediaDevices?.getUserMedia) throw new CameraError(isSecureContext ? 'none' : 'insecure');
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    for (const track of stream.getTracks()) track.stop();
  } catch (error) {
    throw new CameraError(troubleOf(error));
  }
}
