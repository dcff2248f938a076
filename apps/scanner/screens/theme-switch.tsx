/** The button that switches between the dark and the very bright theme. */
import { changeTheme, useTheme } from '#apps/scanner/device/theme.ts';
import { RoundButton } from './parts.tsx';

/** The labels name what a tap does. */
export function ThemeSwitch() {
  const isSun = useTheme() === 'sun';
  return (
    <RoundButton
      icon={isSun ? 'moon' : 'sun'}
      label={isSun ? 'Schermo scuro' : 'Schermo per il sole'}
      onClick={() => changeTheme(isSun ? 'dark' : 'sun')}
    />
  );
}
