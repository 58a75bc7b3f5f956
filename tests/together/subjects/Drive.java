import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Drives a Pioneer: a reader thread, a scheduled executor with two threads, Thread.sleep, System.nanoTime. */
public class Drive {
    static OutputStream out;

    static synchronized void packet(int... body) throws Exception {
        byte[] p = new byte[body.length + 5];
        p[0] = (byte) 0xfa;
        p[1] = (byte) 0xfb;
        p[2] = (byte) (body.length + 2);
        int sum = 0;
        for (int i = 0; i < body.length; i++) p[3 + i] = (byte) body[i];
        for (int i = 0; i + 1 < body.length; i += 2) sum += body[i] << 8 | body[i + 1];
        if (body.length % 2 == 1) sum ^= body[body.length - 1];
        p[body.length + 3] = (byte) (sum >> 8);
        p[body.length + 4] = (byte) sum;
        out.write(p);
    }

    static void command(int code, int value) throws Exception {
        int v = Math.abs(value);
        packet(code, value < 0 ? 0x1b : 0x3b, v & 255, v >> 8);
    }

    public static void main(String[] args) throws Exception {
        Socket robot = new Socket("127.0.0.1", Integer.parseInt(args[0]));
        double seconds = Double.parseDouble(args[1]);
        out = robot.getOutputStream();
        InputStream in = robot.getInputStream();
        byte[] bytes = new byte[4096];
        for (int i = 0; i < 3; i++) {
            packet(i);
            in.read(bytes);
        }
        command(1, 1);
        command(4, 1);
        long start = System.nanoTime();
        long[] got = new long[2];
        Thread reader = new Thread(() -> {
            try {
                for (int n; (n = in.read(bytes)) > 0; got[1]++) got[0] += n;
            } catch (Exception closed) {
            }
        });
        reader.start();
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
        timer.scheduleAtFixedRate(() -> {
            try {
                command(21, (int) (got[0] % 60) - 30);
            } catch (Exception closed) {
            }
        }, 50, 130, TimeUnit.MILLISECONDS);
        while ((System.nanoTime() - start) / 1e9 < seconds) {
            command(11, 250 + (int) (got[1] % 5) * 20);
            Thread.sleep(171);
        }
        timer.shutdownNow();
        robot.close();
        reader.join();
        System.out.printf("%d bytes in %d pieces, %d%n", got[0], got[1], System.currentTimeMillis() / 100);
    }
}
