// Drives a Pioneer with what C++20 has for threads, and says when each of them ends.   threads PORT
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <queue>
#include <random>
#include <semaphore>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Bytes = std::vector<unsigned char>;

static const auto begun = Clock::now();
static double now() { return std::chrono::duration<double>(Clock::now() - begun).count(); }
static void say(const char *what, long value = 0) { std::printf("%s %ld %.6f\n", what, value, now()); }

class Robot {
  public:
    explicit Robot(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET, address.sin_port = htons(port), inet_aton("127.0.0.1", &address.sin_addr);
        timeval limit{0, 200'000};
        if (connect(socket_, reinterpret_cast<sockaddr *>(&address), sizeof address)) throw std::runtime_error("connect");
        for (unsigned char i = 0; i < 3; i++) send({i}), receive();
        setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        command(1, 1), command(4, 1);
    }
    ~Robot() { close(socket_); }
    void command(unsigned char code, int value) {
        auto size = static_cast<unsigned>(std::abs(value));
        send({code, static_cast<unsigned char>(value < 0 ? 0x1b : 0x3b), static_cast<unsigned char>(size),
              static_cast<unsigned char>(size >> 8)});
    }
    long receive() {
        unsigned char bytes[4096];
        return recv(socket_, bytes, sizeof bytes, 0);
    }

  private:
    void send(const Bytes &body) {
        unsigned sum = 0;
        Bytes packet{0xfa, 0xfb, static_cast<unsigned char>(body.size() + 2)};
        for (size_t i = 0; i + 1 < body.size(); i += 2) sum += body[i] << 8 | body[i + 1];
        if (body.size() % 2) sum ^= body.back();
        packet.insert(packet.end(), body.begin(), body.end());
        packet.push_back(sum >> 8), packet.push_back(sum);
        if (write(socket_, packet.data(), packet.size()) < 0) throw std::runtime_error("write");
    }
    int socket_;
};

static void meetings() {
    std::atomic<int> flag{0};
    std::counting_semaphore<10> tokens(0);
    std::latch all(3);
    std::barrier pair(2);
    std::jthread one([&] {
        std::this_thread::sleep_for(150ms);
        flag = 1, flag.notify_all();
        all.count_down();
        pair.arrive_and_wait();
    });
    std::jthread two([&] {
        flag.wait(0), all.count_down();
        std::this_thread::sleep_for(30ms);
        tokens.release(2);
    });
    all.arrive_and_wait(), say("latch");
    pair.arrive_and_wait(), say("barrier");
    say("no token yet", tokens.try_acquire_for(10ms));
    tokens.acquire(), say("token");
    auto answer = std::async(std::launch::async, [] { return std::this_thread::sleep_for(333ms), 7; });
    say("late", answer.wait_for(100ms) == std::future_status::timeout);
    say("answer", answer.get());
    std::timed_mutex mutex;
    mutex.lock();
    std::thread([&] { say("locked", mutex.try_lock_for(120ms)); }).join();
    for (auto end = Clock::now() + 20ms; Clock::now() < end;) std::this_thread::yield();
    say("yielded");
}

int main(int, char **argv) {
    Robot robot(std::atoi(argv[1]));
    std::mutex mutex;
    std::condition_variable_any filled;
    std::queue<long> queue;
    long bytes = 0, pieces = 0;
    std::jthread reader([&](std::stop_token stop) {
        while (!stop.stop_requested())
            if (long n = robot.receive(); n > 0) {
                std::lock_guard lock(mutex);
                queue.push(n), filled.notify_one();
            }
    });
    std::jthread counter([&](std::stop_token stop) {
        std::unique_lock lock(mutex);
        for (; filled.wait(lock, stop, [&] { return !queue.empty(); }); queue.pop()) bytes += queue.front(), pieces++;
    });
    meetings();
    std::mt19937 chance{std::random_device{}()};
    std::uniform_int_distribution<> speed(50, 250);
    auto next = Clock::now();
    for (int i = 0; i < 30; i++) {
        robot.command(11, speed(chance)), robot.command(21, i % 20 - 10);
        std::this_thread::sleep_until(next += 50ms);
    }
    reader.request_stop(), reader.join();
    counter.request_stop(), counter.join();
    say("pieces", pieces), say("bytes", bytes);
}
