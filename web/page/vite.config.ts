import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Put scripts and styles into the page itself, so that one file is all there is to ship. */
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("the build made no index.html");
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue;
        const tag =
          file.type === "chunk"
            ? new RegExp(`<script[^>]*src="/${name}"[^>]*></script>`)
            : new RegExp(`<link[^>]*href="/${name}"[^>]*>`);
        const inline =
          file.type === "chunk"
            ? `<script type="module">${file.code.trim().replaceAll("</script", "<\\/script")}</script>`
            : `<style>${String(file.source).trim()}</style>`;
        if (!tag.test(html)) throw new Error(`the page doesn't ask for ${name}`);
        html = html.replace(tag, () => inline);
        delete bundle[name];
      }
      page.source = html.replace(
        /<link rel="stylesheet" href="\/scene.css"[^>]*>/,
        '<link rel="stylesheet" href="/scene.css">',
      );
    },
  };
}

export default defineConfig({
  plugins: [oneFile()],
  build: {
    outDir: "../riverbed_web/page",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
  },
  test: { include: ["tests/**/*.test.ts"] },
});
