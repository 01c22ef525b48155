import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

// Names without hashes: the daemon serves them with a tag, and a rebuilt dist differs only where the page does.
export default defineConfig({
  plugins: [svelte()],
  worker: { rollupOptions: { output: { entryFileNames: '[name].js' } } },
  build: {
    modulePreload: false,
    rollupOptions: { output: { entryFileNames: 'page.js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' } },
  },
})
