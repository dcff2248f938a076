/** Lists the cameras and stores which one scans: the back one unless another was chosen. */

export interface CameraChoice {
  id: string;
  label: string;
}

const storageKey = 'scanner.camera';

/** Null when none was chosen, or when the browser stores nothing. */
export function recallCamera(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** Null removes the choice. Where the browser stores nothing, the choice is lost. */
export function rememberCamera(id: string | null): void {
  try {
    if (id === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, id);
  } catch {
    // Without storage the choice lasts until the screen is closed.
  }
}

/**
 * The cameras of this phone; the list is empty before the permission is given, because cameras
 * have no ids until then. Never throws.
 */
export async function listCameras(): Promise<CameraChoice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return nameCameras(
    devices.filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== ''),
  );
}

const sides = [
  { name: 'Posteriore', words: /back|rear|environment|posterior|retro/i },
  { name: 'Anteriore', words: /front|user|anterior|facetime|selfie/i },
] as const;

/**
 * Systems name their cameras for engineers ("camera2 0, facing back"); a person needs the side,
 * and a number where there are two.
 */
export function nameCameras(
  devices: readonly { deviceId: string; label: string }[],
): CameraChoice[] {
  const named = devices.map(({ deviceId, label }, n) => ({
    id: deviceId,
    label:
      sides.find(({ words }) => words.test(label))?.name ?? (label.trim() || `Fotocamera ${n + 1}`),
  }));
  return named.map(({ id, label }, n) => {
    const alike = named.filter((other) => other.label === label);
    return {
      id,
      label:
        alike.length === 1
          ? label
          : `${label} ${named.slice(0, n + 1).filter((other) => other.label === label).length}`,
    };
  });
}
